// Something that is loaded again whenever what it depends on changes. An answer that comes after a
// newer question was asked is dropped; until the new one is there, the old one stays.
import { batch, effect, signal, type ReadonlySignal } from '@preact/signals';

export interface Resource<T> {
  readonly value: ReadonlySignal<T | null>;
  readonly error: ReadonlySignal<string>; // a sentence; empty: none
  readonly isLoading: ReadonlySignal<boolean>;
}

// `ask` reads signals and starts loading; null: nothing to load, the value is null.
export function resource<T>(ask: () => Promise<T> | null): Resource<T> {
  const value = signal<T | null>(null);
  const error = signal('');
  const isLoading = signal(false);
  let newest = 0;
  effect(() => {
    const question = ++newest;
    const settle = (answer: T | null, fault: string) => {
      if (question !== newest) return;
      batch(() => {
        if (!fault) value.value = answer;
        error.value = fault;
        isLoading.value = false;
      });
    };
    let promise: Promise<T> | null;
    try {
      promise = ask();
    } catch (fault) {
      settle(null, sentenceOf(fault));
      return;
    }
    if (promise === null) {
      settle(null, '');
      return;
    }
    isLoading.value = true;
    promise.then(
      (answer) => settle(answer, ''),
      (fault: unknown) => settle(null, sentenceOf(fault)),
    );
  });
  return { value, error, isLoading };
}

export function sentenceOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
