export function DiffScreen() {
  return <h1>Diff</h1>;
}
