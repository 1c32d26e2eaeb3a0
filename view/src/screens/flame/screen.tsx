export function FlameScreen() {
  return <h1>Flame</h1>;
}
