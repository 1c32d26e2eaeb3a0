// A resource that is loaded while something shows it, and given up when nothing does.
import { computed, signal } from '@preact/signals';
import { resource, type Resource } from './resource';

export function lazyResource<T>(ask: () => Promise<T> | null): Resource<T> {
  const isWanted = signal(false);
  const inner = resource(() => (isWanted.value ? ask() : null));
  let isWatched = false;
  // Later: signals must not change while a screen is drawn, and one screen may take over from another.
  const settle = () =>
    queueMicrotask(() => {
      isWanted.value = isWatched;
    });
  const value = computed(() => inner.value.value, {
    watched() {
      isWatched = true;
      settle();
    },
    unwatched() {
      isWatched = false;
      settle();
    },
  });
  return { value, error: inner.error, isLoading: inner.isLoading };
}
