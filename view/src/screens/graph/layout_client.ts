// Asks a worker for a layout. Who asks again before the answer has come wants only the new one.
import type { Layout, LayoutRequest } from './layout';
import LayoutWorker from './layout_worker?worker&inline';

type Answer = { readonly layout: Layout } | { readonly fault: string };

let worker: Worker | null = null;
let isBusy = false;

function give(up: string): Error {
  return new Error(`The call graph could not be laid out: ${up}. The table has the same content.`);
}

export function askForLayout(request: LayoutRequest): Promise<Layout> {
  if (isBusy) {
    worker?.terminate();
    worker = null;
  }
  return new Promise((resolve, reject) => {
    const mine = (worker ??= new LayoutWorker());
    isBusy = true;
    mine.onmessage = (event: MessageEvent<Answer>) => {
      isBusy = false;
      if ('layout' in event.data) resolve(event.data.layout);
      else reject(give(event.data.fault));
    };
    mine.onerror = (event) => {
      isBusy = false;
      worker = null;
      reject(give(event.message || 'the browser allows no workers'));
    };
    mine.postMessage(request);
  });
}
