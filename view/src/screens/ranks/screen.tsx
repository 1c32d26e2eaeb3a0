export function RanksScreen() {
  return <h1>Ranks</h1>;
}
