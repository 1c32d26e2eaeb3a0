export function WaitsScreen() {
  return <h1>Waits</h1>;
}
