import { effect, signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { lazyResource } from '../src/app/lazy_resource';

const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('a lazy resource', () => {
  it('loads while something looks, again when its question changes, and not before or after', async () => {
    const question = signal(1);
    const asked: number[] = [];
    const lazy = lazyResource(() => {
      asked.push(question.value);
      return Promise.resolve(question.value * 10);
    });
    await settled();
    question.value = 2;
    expect(asked).toEqual([]);

    const stop = effect(() => void lazy.value.value);
    await settled();
    expect(asked).toEqual([2]);
    expect(lazy.value.value).toBe(20);
    question.value = 3;
    await settled();
    expect(lazy.value.value).toBe(30);

    stop();
    await settled();
    question.value = 4;
    await settled();
    expect(asked).toEqual([2, 3]);
  });

  it('says why it failed', async () => {
    const lazy = lazyResource(() => Promise.reject(new Error('No such file.')));
    const stop = effect(() => void lazy.value.value);
    await settled();
    expect(lazy.error.value).toBe('No such file.');
    expect(lazy.value.value).toBeNull();
    stop();
  });
});
