export function GraphScreen() {
  return <h1>Graph</h1>;
}
