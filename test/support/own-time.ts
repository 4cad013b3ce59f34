/** Before each file: one worker runs many, and some of them are years ahead. */
import { resetUuids } from '../../src/runtime/ids.ts';

resetUuids();
