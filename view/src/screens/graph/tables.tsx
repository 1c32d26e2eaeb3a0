// The call graph as tables: the same functions and calls as the picture, to read and to save.
import type { Tables, Unit } from '../../data/types';
import { formatCount, formatShare, formatValue, nameOf, placeOf } from '../../model/format';
import { cappedShare } from '../../parts/share';
import type { CallGraph } from '../../model/types';
import { cycleNumbers } from './cycles';
import { barPieces } from '../../app/kind_bars';
import { ValueCell } from '../../parts/value_cell';
import { VirtualTable, type Column } from '../../parts/virtual_table';

export function edgesAsCsv(graph: CallGraph, tables: Tables, unit: Unit): (string | number)[][] {
  const head = ['caller', 'caller_place', 'callee', 'callee_place', `total_${unit}`, 'share', 'calls'];
  const body = graph.edges.map((edge) => {
    const [caller, callee] = [graph.nodes[edge.caller].function, graph.nodes[edge.callee].function];
    return [
      nameOf(tables, caller),
      placeOf(tables, caller),
      nameOf(tables, callee),
      placeOf(tables, callee),
      edge.total,
      cappedShare(edge.total, graph.whole),
      edge.calls,
    ];
  });
  return [head, ...body];
}

export function GraphTables(props: {
  graph: CallGraph;
  tables: Tables;
  unit: Unit;
  selected: number | null;
  onSelect: (fn: number) => void;
  onOpen: (fn: number) => void;
}) {
  const { graph, tables, unit } = props;
  const name = (fn: number) => (
    <span class="mono" title={placeOf(tables, fn)}>
      {nameOf(tables, fn)}
    </span>
  );
  const value = (amount: number) => (
    <ValueCell
      value={amount}
      whole={graph.whole}
      unit={unit}
      pieces={barPieces([], 0, amount, graph.whole)}
    />
  );
  const cycles = cycleNumbers(graph.nodes.length, graph.edges);
  const hasCalls = graph.nodes.some((node) => node.calls > 0);
  const calls = (of: (row: number) => number): Column[] =>
    hasCalls
      ? [
          {
            id: 'calls',
            title: 'Calls',
            width: '90px',
            isNumber: true,
            cell: (row) => formatCount(of(row)),
          },
        ]
      : [];
  const nodeColumns: Column[] = [
    {
      id: 'name',
      title: 'Function',
      width: 'minmax(120px, 2fr)',
      cell: (row) => name(graph.nodes[row].function),
    },
    {
      id: 'place',
      title: 'Place',
      width: 'minmax(80px, 1fr)',
      cell: (row) => placeOf(tables, graph.nodes[row].function),
    },
    {
      id: 'total',
      title: 'Total',
      width: '190px',
      isNumber: true,
      cell: (row) => value(graph.nodes[row].total),
    },
    {
      id: 'self',
      title: 'Self',
      width: '130px',
      isNumber: true,
      cell: (row) =>
        `${formatValue(graph.nodes[row].self, unit)}  ${formatShare(cappedShare(graph.nodes[row].self, graph.whole))}`,
    },
    ...calls((row) => graph.nodes[row].calls),
    ...(cycles.some((cycle) => cycle > 0)
      ? [
          {
            id: 'cycle',
            title: 'Cycle',
            hint: 'Functions with the same number call each other in a circle',
            width: '60px',
            isNumber: true,
            cell: (row: number) => (cycles[row] > 0 ? cycles[row] : ''),
          },
        ]
      : []),
  ];
  const edgeColumns: Column[] = [
    {
      id: 'caller',
      title: 'Caller',
      width: 'minmax(100px, 1fr)',
      cell: (row) => name(graph.nodes[graph.edges[row].caller].function),
    },
    {
      id: 'callee',
      title: 'Callee',
      width: 'minmax(100px, 1fr)',
      cell: (row) => name(graph.nodes[graph.edges[row].callee].function),
    },
    {
      id: 'total',
      title: 'Total',
      width: '190px',
      isNumber: true,
      cell: (row) => value(graph.edges[row].total),
    },
    ...calls((row) => graph.edges[row].calls),
  ];
  return (
    <div class="graph-tables">
      <VirtualTable
        label="Functions in the call graph"
        columns={nodeColumns}
        rowCount={graph.nodes.length}
        selected={graph.nodes.findIndex((node) => node.function === props.selected)}
        onSelect={(row) => props.onSelect(graph.nodes[row].function)}
        onOpen={(row) => props.onOpen(graph.nodes[row].function)}
      />
      <VirtualTable label="Calls in the call graph" columns={edgeColumns} rowCount={graph.edges.length} />
    </div>
  );
}
