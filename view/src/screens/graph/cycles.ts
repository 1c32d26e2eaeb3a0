// Functions that call each other in circles: the strongly connected parts of a graph with more than one
// member (Tarjan's algorithm, without recursion). A function that calls itself is no such circle.

interface Edge {
  readonly caller: number;
  readonly callee: number;
}

// By node the number of its circle; 0: none.
export function cycleNumbers(count: number, edges: readonly Edge[]): Uint32Array {
  const numbers = new Uint32Array(count);
  findCycles(count, edges).forEach((members, i) => {
    for (const member of members) numbers[member] = i + 1;
  });
  return numbers;
}

export function findCycles(count: number, edges: readonly Edge[]): number[][] {
  const callees: number[][] = Array.from({ length: count }, () => []);
  for (const { caller, callee } of edges) callees[caller].push(callee);
  const order = new Int32Array(count).fill(-1); // in which nodes were found
  const lowest = new Int32Array(count); // the first found that can be reached from here
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const cycles: number[][] = [];
  let found = 0;

  const begin = (node: number) => {
    order[node] = lowest[node] = found++;
    open.push(node);
    isOpen[node] = 1;
  };

  for (let root = 0; root < count; ++root) {
    if (order[root] >= 0) continue;
    begin(root);
    const path = [{ node: root, next: 0 }];
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { node } = top;
      if (top.next < callees[node].length) {
        const callee = callees[node][top.next++];
        if (order[callee] < 0) {
          begin(callee);
          path.push({ node: callee, next: 0 });
        } else if (isOpen[callee] === 1) {
          lowest[node] = Math.min(lowest[node], order[callee]);
        }
        continue;
      }
      path.pop();
      const caller = path.at(-1)?.node;
      if (caller !== undefined) lowest[caller] = Math.min(lowest[caller], lowest[node]);
      if (lowest[node] !== order[node]) continue;
      const members = open.splice(open.indexOf(node));
      for (const member of members) isOpen[member] = 0;
      if (members.length > 1) cycles.push(members.sort((a, b) => a - b));
    }
  }
  return cycles.sort((a, b) => a[0] - b[0]);
}
