import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { allJournals, haveOnlyGrown, Journal, journalEpochs, readJournal } from './journal.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'postrider-journal-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('the outcome journal', () => {
  it('is read by another process, without the line that a crash cut short', () => {
    const journal = new Journal<{ n: number }>(dataDir, 7);
    journal.append({ n: 1 });
    journal.append({ n: 2 });
    appendFileSync(join(dataDir, 'journal', '7.jsonl'), '{"n":3');
    expect(journalEpochs(dataDir)).toEqual([7]);
    expect(readJournal(dataDir, 7)).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('is emptied once it has grown and every entry is settled', () => {
    const journal = new Journal<{ text: string }>(dataDir, 1);
    for (let i = 0; i < 300; i += 1) journal.append({ text: 'x'.repeat(1000) });
    journal.settled(299);
    expect(readJournal(dataDir, 1)).toHaveLength(300);
    journal.settled(1);
    expect(readJournal(dataDir, 1)).toEqual([]);
    journal.append({ text: 'after' });
    expect(readJournal(dataDir, 1)).toEqual([{ text: 'after' }]);
  });

  it('is removed at a clean end, and stays if an entry is unsettled', () => {
    const clean = new Journal<number>(dataDir, 1);
    clean.append(1);
    clean.settled(1);
    clean.close();
    const unclean = new Journal<number>(dataDir, 2);
    unclean.append(1);
    unclean.close();
    expect(journalEpochs(dataDir)).toEqual([2]);
  });

  it('reserves room for further entries, and shrinks back after it grew', () => {
    const sizeOf = () => statSync(join(dataDir, 'journal', '1.jsonl')).size;
    const journal = new Journal<{ text: string }>(dataDir, 1);
    const room = sizeOf();
    journal.append({ text: 'x'.repeat(room / 2) });
    expect(sizeOf()).toBe(room);
    journal.append({ text: 'y'.repeat(room) });
    expect(sizeOf()).toBeGreaterThan(room);
    expect(readJournal<{ text: string }>(dataDir, 1).map(({ text }) => text[0])).toEqual(['x', 'y']);
    journal.settled(2);
    expect(sizeOf()).toBe(room);
  });

  it.skipIf(!existsSync('/dev/full'))('is not usable while its disk is full, and says so once', () => {
    mkdirSync(join(dataDir, 'journal'));
    symlinkSync('/dev/full', join(dataDir, 'journal', '1.jsonl'));
    const said: (string | undefined)[] = [];
    const journal = new Journal<number>(dataDir, 1, (error) => said.push(error?.message));
    expect(journal.usable()).toBe(false);
    journal.append(1);
    expect(journal.usable()).toBe(false);
    expect(journal.isUnsettled).toBe(true);
    journal.settled(1);
    expect(journal.isUnsettled).toBe(false);
    expect(journal.usable()).toBe(false);
    expect(said).toEqual([expect.stringContaining('ENOSPC')]);
  });

  it('detects whether a journal was emptied or removed between two reads', () => {
    const journal = new Journal<{ text: string }>(dataDir, 1);
    const other = new Journal<number>(dataDir, 2);
    journal.append({ text: 'x'.repeat(300 * 1024) });
    const first = allJournals(dataDir);
    expect(first.get(1)).toHaveLength(1);
    other.append(7);
    journal.append({ text: 'y' });
    const grown = allJournals(dataDir);
    expect(haveOnlyGrown(first, grown)).toBe(true);
    journal.settled(2);
    journal.append({ text: 'z' });
    expect(haveOnlyGrown(first, allJournals(dataDir))).toBe(false);
    other.settled(1);
    other.close();
    expect(haveOnlyGrown(new Map([[2, grown.get(2) ?? []]]), allJournals(dataDir))).toBe(false);
  });
});
