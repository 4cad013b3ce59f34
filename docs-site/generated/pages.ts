/** The pages of docs/ with generated parts, and what brings each up to date. */
import { REASONS_PAGE, withReasons } from './reasons-page.ts';

export const GENERATED: Readonly<Record<string, (page: string) => string>> = {
  [REASONS_PAGE]: withReasons,
};
