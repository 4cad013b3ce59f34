/** Before each file: one worker runs many, and some of them are years ahead. */
import { forgetUuids } from '../../src/kit/runtime/ids.ts';

forgetUuids();
