// The part of a scrolling element that is in sight, for lists of which only that part is made.
import { useLayoutEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

export interface ScrollView {
  readonly top: number;
  readonly height: number;
}

export function useScrollView(body: RefObject<HTMLElement | null>, height: number) {
  const [view, setView] = useState<ScrollView>({ top: 0, height });
  const measure = () => {
    const box = body.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight });
  };
  useLayoutEffect(() => {
    if (!body.current) return undefined;
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(body.current);
    return () => observer.disconnect();
  }, []);
  return { view, measure };
}
