// `npm run build -w sdk`: makes `sdk/dist`, the package as it is published (`npm publish ./sdk/dist`).
import { fileURLToPath } from 'node:url';
import { buildPackage } from './package-folder.ts';

buildPackage(fileURLToPath(new URL('../dist', import.meta.url)));
