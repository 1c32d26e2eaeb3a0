// A place in the document on which tests draw screens, and what a person finds there.
import { render } from 'preact';
import { afterEach, beforeEach, expect } from 'vitest';
import { goTo } from '../src/app/address';
import { source } from '../src/app/store';
import { eventually } from './eventually';

export let place: HTMLElement;

// For all tests of a file. What they put into the address is gone afterwards.
export function useStage(params: Parameters<typeof goTo>[1]): void {
  beforeEach(() => {
    place = document.createElement('main');
    document.body.append(place);
  });

  afterEach(() => {
    render(null, place);
    place.remove();
    source.value = null;
    goTo('overview', params);
  });
}

export async function shows(text: string): Promise<void> {
  await eventually(() => expect(place.textContent).toContain(text));
}

export function button(words: string): HTMLButtonElement {
  const found = [...place.querySelectorAll('button')].find((each) => each.textContent?.includes(words));
  if (!found) throw new Error(`no button says ${words}`);
  return found;
}
