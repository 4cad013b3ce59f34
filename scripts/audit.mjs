// `npm run audit`: are there known vulnerabilities in what users run? Fails for high and critical ones, names the others,
// and says so where the registry does not answer such questions (a mirror, or no network).
import { execFile } from 'node:child_process';
import { root } from './lib/prepare.mjs';

const LEVELS = ['high', 'critical'];

const report = await auditReport();
if (report === null) {
  console.log('The registry does not answer about vulnerabilities: not checked.');
} else {
  const found = Object.values(report.vulnerabilities ?? {});
  const grave = found.filter(({ severity }) => LEVELS.includes(severity));
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`);
  console.log(
    `${found.length} known vulnerabilities in what users run, ${grave.length} of them high or critical.`,
  );
  process.exitCode = grave.length > 0 ? 1 : 0;
}

/** Null when there was no answer. npm exits with 1 for both, and only the answer tells them apart. */
function auditReport() {
  const args = ['audit', '--omit=dev', '--json'];
  return new Promise((resolve) => {
    execFile('npm', args, { cwd: root, timeout: 60_000, maxBuffer: 64 * 1024 * 1024 }, (_error, stdout) => {
      try {
        const answer = JSON.parse(stdout);
        resolve(answer.auditReportVersion === undefined ? null : answer);
      } catch {
        resolve(null);
      }
    });
  });
}
