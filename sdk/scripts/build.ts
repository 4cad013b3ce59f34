// `npm run build -w sdk`: makes the package as it is published, in `sdk/dist` or the folder that is named.
import { fileURLToPath } from 'node:url';
import { buildPackage } from './package-folder.ts';

buildPackage(process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url)));
