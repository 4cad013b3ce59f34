/**
 * Whether this Node is new enough. Asked first by a checkout's commands and by the installed one, so there is no syntax
 * here that an old Node would stumble over.
 */
const MIN_NODE = [20, 19];

/** The message for an older version; undefined when the version is supported. */
export function nodeProblem(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return undefined;
  return (
    `Postrider needs Node.js ${MIN_NODE.join('.')} or newer; this is ${version} (${process.execPath}).\n` +
    'Install a current version from https://nodejs.org and try again.'
  );
}
