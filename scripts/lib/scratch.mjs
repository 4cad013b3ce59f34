/** Where a run of the tests keeps its files: all of them go away with it, however it ends. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** A file system in memory, where there is one: the database of a test file is made there in a third of the time. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** `databaseFolder` is for the PostgreSQL that all tests share. */
export function makeScratch() {
  const folder = makeFolder(os.tmpdir());
  return { folder, databaseFolder: hasRoomInMemory() ? makeFolder(MEMORY) : folder };
}

export function clear({ folder, databaseFolder }) {
  for (const one of new Set([folder, databaseFolder])) {
    stopServersIn(one);
    fs.rmSync(one, { recursive: true, force: true });
  }
}

function makeFolder(parent) {
  const folder = fs.mkdtempSync(path.join(parent, 'postrider-tests-'));
  // Under root PostgreSQL runs as another account, which has to get in.
  fs.chmodSync(folder, 0o755);
  return folder;
}

/** Far more than is needed: what is taken there, the machine lacks elsewhere. */
function hasRoomInMemory() {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES && os.freemem() >= ROOM_BYTES;
  } catch {
    return false;
  }
}

/** PostgreSQL lives in a session of its own and would survive a killed run. */
function stopServersIn(directory, depth = 5) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory() && depth > 0) stopServersIn(full, depth - 1);
    if (entry.name !== 'postmaster.pid') continue;
    try {
      process.kill(Number(fs.readFileSync(full, 'utf8').split('\n')[0]), 'SIGQUIT');
    } catch {
      // Gone already.
    }
  }
}
