/** The programs that people start: each is bundled (`bundle.mjs`) and part of the package (`packages.mjs`). */
export const PROGRAMS = ['start', 'api', 'worker', 'smtp', 'inbound', 'submission', 'cli'];
