// A bar inside a table's row. The number stands beside it: a bar alone says nothing to some.
export interface Piece {
  readonly id: string; // the colour's token
  readonly share: number; // of the bar's full width
}

export function Bar(props: { pieces: readonly Piece[]; title?: string }) {
  return (
    <div class="bar" title={props.title} aria-hidden="true">
      {props.pieces.map((piece) => (
        <i
          key={piece.id}
          style={{
            width: `${Math.max(0, Math.min(1, piece.share)) * 100}%`,
            background: `var(--${piece.id})`,
          }}
        />
      ))}
    </div>
  );
}
