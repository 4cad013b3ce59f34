import type { ServerResponse } from 'node:http';

/** True once the reader has read the written data; false if it was too slow or disconnected. */
export function isDrained(response: ServerResponse, withinMs: number): Promise<boolean> {
  if (response.destroyed) return Promise.resolve(false);
  if (!response.writableNeedDrain) return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (drained: boolean) => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      response.off('close', onClose);
      resolve(drained);
    };
    const onDrain = () => done(true);
    const onClose = () => done(false);
    const timer = setTimeout(onClose, withinMs).unref();
    response.on('drain', onDrain);
    response.on('close', onClose);
  });
}
