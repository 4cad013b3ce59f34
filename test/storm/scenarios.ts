/** Every scenario by its name. */
import type { Scenario } from './scenario.ts';
import { random } from './scenarios/random.ts';

export const SCENARIOS: readonly Scenario[] = [random];
