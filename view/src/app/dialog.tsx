// A dialog over the page: keeps the focus inside and gives it back.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function Dialog(props: {
  label: string;
  class?: string;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  // Before the next key: who opens a dialog by a key may type on at once.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const first = box.current?.querySelector<HTMLElement>('input, button');
    (first ?? box.current)?.focus();
    return () => before?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Tab') return;
    const all = [...(box.current?.querySelectorAll<HTMLElement>('input, button, a[href]') ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    event.preventDefault();
    all[(at + (event.shiftKey ? -1 : 1) + all.length) % all.length]?.focus();
  };
  return (
    <div
      class="dialog-back"
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) props.onClose();
      }}
    >
      <div
        ref={box}
        class={`dialog ${props.class ?? ''}`}
        role="dialog"
        aria-modal="true"
        aria-label={props.label}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        {props.children}
      </div>
    </div>
  );
}
