// A restriction that is in force; its button removes it.
export function Chip(props: { text: string; title?: string; onRemove: () => void }) {
  return (
    <span class="chip" title={props.title ?? props.text}>
      <span>{props.text}</span>
      <button type="button" aria-label={`Remove ${props.text}`} onClick={props.onRemove}>
        ×
      </button>
    </span>
  );
}
