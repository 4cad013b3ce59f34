import { execFile } from 'node:child_process';
import { expect, it } from 'vitest';

function run(command: string, option: string) {
  const args = ['--import', 'tsx', `test/${command}/main.ts`, option];
  return new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, args, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

it('print the available options on --help', async () => {
  expect(await run('soak', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^usage: npm run soak/),
  });
});

it('report an invalid option without a stack trace', async () => {
  const { code, stderr } = await run('storm', '--minute=1');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Unknown option '--minute'.*\nusage: npm run storm/);
});
