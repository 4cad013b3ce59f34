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

it('tell whoever asks for help what there is', async () => {
  expect(await run('soak', '--help')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^usage: npm run soak/),
  });
});

it('tell whoever writes one wrong, without a stack', async () => {
  const { code, stderr } = await run('storm', '--minute=1');
  expect(code).toBe(2);
  expect(stderr).toMatch(/^Unknown option '--minute'.*\nusage: npm run storm/);
});
