export function ScalingScreen() {
  return <h1>Scaling</h1>;
}
