// Stands in for a role that cannot start as long as there is a file `broken` in the data folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { announceReady, waitForGo } from './go-ahead.mjs';

const env = await waitForGo();
if (existsSync(join(env.POSTRIDER_DATA_DIR ?? '', 'broken'))) process.exit(3);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => message === 'retire' && process.exit(0));
announceReady();
