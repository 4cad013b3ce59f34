/** Runs before each test file: one worker runs many files, and some files set the clock years ahead. */
import { resetUuids } from '../../src/runtime/ids.ts';

resetUuids();
