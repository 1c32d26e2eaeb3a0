// A few choices side by side, one of them on.
export interface Choice<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly title?: string;
  readonly disabled?: boolean;
}

export function Segmented<T extends string>(props: {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  onChange: (value: T) => void;
}) {
  return (
    <div class="seg" role="group" aria-label={props.label}>
      {props.choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === props.value}
          disabled={choice.disabled}
          title={choice.title}
          onClick={() => props.onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

// The same as a list that unfolds, for many choices.
export function Picker<T extends string>(props: {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  onChange: (value: T) => void;
  isLabelHidden?: boolean;
}) {
  return (
    <label>
      <span class={props.isLabelHidden ? 'visually-hidden' : ''}>{props.label}</span>
      <select value={props.value} onChange={(event) => props.onChange(event.currentTarget.value as T)}>
        {props.choices.map((choice) => (
          <option key={choice.value} value={choice.value} disabled={choice.disabled}>
            {choice.label}
          </option>
        ))}
      </select>
    </label>
  );
}
