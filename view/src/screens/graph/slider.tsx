// One of a few numbers, by a slider.
export function Slider(props: {
  label: string;
  steps: readonly number[];
  value: number;
  unit: string;
  onChange: (value: number) => void;
}) {
  return (
    <label class="slider">
      {props.label}
      <input
        type="range"
        min={0}
        max={props.steps.length - 1}
        step={1}
        value={Math.max(0, props.steps.indexOf(props.value))}
        aria-valuetext={`${props.value}${props.unit}`}
        onInput={(event) => props.onChange(props.steps[Number(event.currentTarget.value)])}
      />
      <output>
        {props.value}
        {props.unit}
      </output>
    </label>
  );
}
