export function FunctionsScreen() {
  return <h1>Functions</h1>;
}
