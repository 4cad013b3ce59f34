import { expect, it } from 'vitest';
import { parseConfig } from '../runtime/config.ts';
import { databasePorts, ownPorts } from './outside-urls.ts';

it('include every port in the settings', () => {
  const config = parseConfig({
    POSTRIDER_PORT: '3900',
    POSTRIDER_METRICS_PORT: '9200',
    POSTRIDER_INBOUND_PORT: '2600',
    POSTRIDER_SUBMISSION_PORT: '2700',
    DATABASE_URL: 'postgres://u:p@127.0.0.1:5999,127.0.0.2:5997/x',
    POSTRIDER_LISTEN_URL: 'postgres://u:p@127.0.0.1:5998/x',
  });
  const ports = [...ownPorts(config)].sort((a, b) => a - b);
  expect(ports).toEqual([2600, 2700, 3900, 5997, 5998, 5999, 9200]);
});

it("include PostgreSQL's default port, and ignore port 0", () => {
  const config = parseConfig({ POSTRIDER_PORT: '0', DATABASE_URL: 'postgres://db.internal/x' });
  expect(databasePorts(config)).toEqual([5432]);
  expect([...ownPorts(config)]).toEqual([2525, 1025, 5432]);
});
