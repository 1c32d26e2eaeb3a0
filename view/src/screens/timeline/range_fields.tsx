// A time range with the keyboard: two numbers.
import { useEffect, useState } from 'preact/hooks';
import type { Range } from '../../parts/range';

// What was typed, as a range within the extent; a sentence where it is none.
export function readRange(from: string, to: string, extent: Range): Range | string {
  const number = (text: string, otherwise: number) => (text.trim() === '' ? otherwise : Number(text));
  const left = number(from, extent.left);
  const right = number(to, extent.right);
  if (!Number.isFinite(left) || !Number.isFinite(right)) return 'Both ends are numbers of seconds.';
  if (right <= left) return 'The range ends before it begins.';
  if (left >= extent.right || right <= extent.left) return 'Nothing was recorded in that range.';
  return { left: Math.max(left, extent.left), right: Math.min(right, extent.right) };
}

const shown = (seconds: number) => String(Number(seconds.toFixed(4)));

export function RangeFields(props: {
  extent: Range;
  range: Range | null;
  onRange: (range: Range | null) => void;
}) {
  const { range } = props;
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [fault, setFault] = useState('');
  useEffect(() => {
    setFrom(range ? shown(range.left) : '');
    setTo(range ? shown(range.right) : '');
    setFault('');
  }, [range?.left, range?.right]);
  const field = (label: string, value: string, otherwise: number, onInput: (text: string) => void) => (
    <label>
      {label}
      <input
        type="text"
        inputMode="decimal"
        size={7}
        value={value}
        placeholder={shown(otherwise)}
        aria-invalid={fault !== ''}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <form
      class="range"
      onSubmit={(event) => {
        event.preventDefault();
        const read = readRange(from, to, props.extent);
        setFault(typeof read === 'string' ? read : '');
        if (typeof read !== 'string') props.onRange(read);
      }}
    >
      {field('From', from, props.extent.left, setFrom)}
      {field('to', to, props.extent.right, setTo)}
      <span>s</span>
      <button type="submit">Choose</button>
      {range && (
        <button type="button" onClick={() => props.onRange(null)}>
          Whole run
        </button>
      )}
      {fault && <span role="alert">{fault}</span>}
    </form>
  );
}
