export function TimelineScreen() {
  return <h1>Timeline</h1>;
}
