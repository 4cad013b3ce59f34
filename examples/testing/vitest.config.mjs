import { defineConfig } from 'vitest/config';

// A machine that builds other things at the same time is slow. Tests give `waitFor` less than this, so that it says why mail is missing.
export default defineConfig({ test: { include: ['*.test.mjs'], testTimeout: 90_000, hookTimeout: 90_000 } });
