import { layOutGraph, type LayoutRequest } from './layout';

self.onmessage = (event: MessageEvent<LayoutRequest>) => {
  try {
    self.postMessage({ layout: layOutGraph(event.data) });
  } catch (fault) {
    self.postMessage({ fault: String(fault) });
  }
};
