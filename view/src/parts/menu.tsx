// A menu that opens at a point or below its button; arrows, Enter and Esc work in it.
import { useEffect, useRef, useState } from 'preact/hooks';

export interface MenuItem {
  readonly label: string;
  readonly onPick: () => void;
  readonly href?: string; // a download instead
}

export function Menu(props: {
  items: readonly MenuItem[];
  x: number;
  y: number;
  label: string;
  onClose: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { onClose } = props;
  useEffect(() => {
    const menu = box.current;
    if (!menu) return undefined;
    const bounds = menu.getBoundingClientRect();
    menu.style.left = `${Math.max(4, Math.min(props.x, innerWidth - bounds.width - 8))}px`;
    menu.style.top = `${Math.max(4, Math.min(props.y, innerHeight - bounds.height - 8))}px`;
    const before = document.activeElement as HTMLElement | null;
    menu.querySelector('button')?.focus();
    const close = (event: Event) => {
      if (!menu.contains(event.target as Node)) onClose();
    };
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('pointerdown', close);
      before?.focus();
    };
  }, [props.x, props.y, onClose]);

  const move = (step: number) => {
    const buttons = [...(box.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') onClose();
    else if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={box} class="menu" role="menu" aria-label={props.label} onKeyDown={onKeyDown}>
      {props.items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          onClick={() => {
            onClose();
            item.onPick();
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}

export function MenuButton(props: { label: string; items: readonly MenuItem[] }) {
  const [place, setPlace] = useState<{ x: number; y: number } | null>(null);
  return (
    <>
      <button
        type="button"
        aria-haspopup="menu"
        aria-expanded={place !== null}
        onClick={(event) => {
          const bounds = event.currentTarget.getBoundingClientRect();
          setPlace({ x: bounds.left, y: bounds.bottom + 4 });
        }}
      >
        {props.label} ▾
      </button>
      {place && (
        <Menu
          items={props.items}
          x={place.x}
          y={place.y}
          label={props.label}
          onClose={() => setPlace(null)}
        />
      )}
    </>
  );
}
