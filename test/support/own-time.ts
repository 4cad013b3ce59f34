/** Before each file: one worker runs many, and some of them are years ahead. */
import { resetUuids } from '../../src/kit/runtime/ids.ts';

resetUuids();
