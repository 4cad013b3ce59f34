/** Loaded into the API by a test of the fuzzer: every request for suppressions holds the event loop for 300 ms of processor time, other threads included. */
import diagnostics from 'node:diagnostics_channel';

diagnostics.subscribe('http.server.request.start', ({ request }) => {
  if (!request.url.startsWith('/api/v1/suppressions')) return;
  const { user: start } = process.cpuUsage();
  while (process.cpuUsage().user - start < 300_000);
});
