export function SourceScreen() {
  return <h1>Source</h1>;
}
