import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFileFetch } from '../protocols/fetch/fetch-file.ts';
import { createGuard } from '../protocols/fetch/guard-address.ts';
import type { Attachment } from '../protocols/message/mime.ts';
import type { DraftAttachment } from './draft.ts';
import { LinkedFiles } from './linked-files.ts';

const MEBIBYTE = 1024 * 1024;
const rules = {
  plainHttp: true,
  loopback: true,
  privateNetworks: false,
  ownPorts: new Set<number>(),
  databasePorts: [],
};
const zone: Readonly<Record<string, string>> = { 'inside.test': '10.1.2.3', 'files.test': '127.0.0.1' };
const resolver = {
  addresses: async (name: string) => {
    const address = zone[name];
    return address === undefined
      ? ({ kind: 'nxdomain' } as const)
      : ({ kind: 'found', records: [address], ttlSeconds: 60 } as const);
  },
};
const fetchFile = createFileFetch({
  guard: createGuard(resolver, rules),
  rules,
  userAgent: 'Postrider/test',
});

let server: Server;
let base: string;
let answer: RequestListener;
let asked: { url: string | undefined; headers: NodeJS.Dict<string | string[]> }[] = [];
/** Raw TCP servers, for answers that no HTTP server sends. */
const raw: TcpServer[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ url: request.url, headers: request.headers });
    answer(request, response);
  });
  base = await listen(server);
});
afterEach(() => {
  asked = [];
  server.closeAllConnections();
});
afterAll(() => {
  server.close();
  for (const one of raw) one.close();
});

async function listen(one: TcpServer): Promise<string> {
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

/** Starts a server that sends this text to every client and then closes the connection. */
async function saying(text: string): Promise<string> {
  const one = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(text));
  });
  raw.push(one);
  return listen(one);
}

const link = (url: string, more: Partial<DraftAttachment> = {}): DraftAttachment => ({
  url,
  filename: null,
  contentType: null,
  contentId: null,
  ...more,
});

/** Longer than any fetch takes on a busy machine. */
const patience = { fetchFile, deadlineMs: 100_000 };
const patient = new LinkedFiles(patience);
const attach = (attachments: readonly DraftAttachment[], files = patient, organizationId = 'org_1') =>
  files.during(organizationId, async (fetching) => {
    const attached = await fetching.attached(attachments);
    return attached.kind === 'attached' ? attached.files : attached;
  });
const fetched = async (url: string, more: Partial<DraftAttachment> = {}) => {
  const all = await attach([link(url, more)]);
  if (!Array.isArray(all)) throw new Error(JSON.stringify(all));
  return all[0] as Attachment;
};
const whyNot = async (url: string, files = patient) => {
  const all = await attach([link(url)], files);
  if (!('problems' in all)) throw new Error(JSON.stringify(all));
  return all.problems.map(({ at, message }) => `${at.attachment} ${message}`);
};

describe('a file at a URL', () => {
  it('arrives byte for byte, with the name and type that its server gives it', async () => {
    answer = (_, response) => {
      response.setHeader('content-type', 'application/pdf');
      response.setHeader(
        'content-disposition',
        `attachment; filename="a.pdf"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf`,
      );
      response.end(Buffer.from([0, 255, 13, 10]));
    };
    expect(await fetched(`${base}/x`)).toEqual({
      filename: 'Grüße.pdf',
      contentType: 'application/pdf',
      contentId: null,
      content: Buffer.from([0, 255, 13, 10]),
    });
  });

  it('takes its name and type from the sender if these are given', async () => {
    answer = (_, response) => response.setHeader('content-type', 'text/html').end('x');
    const more = { filename: 'logo.png', contentType: 'image/png', contentId: 'logo' };
    expect(await fetched(`${base}/x`, more)).toMatchObject(more);
  });

  it.each([
    ['/files/Invoice%20%E2%82%AC.pdf?version=2', 'Invoice €.pdf'],
    ['/a%2F..%2Fb%0D%0AX.txt', 'a_.._b_X.txt'],
    ['/%ff.txt', '%ff.txt'],
    ['/', 'attachment'],
  ])('without a name gets one from its path: %s', async (path, filename) => {
    answer = (_, response) => response.end('x');
    expect((await fetched(`${base}${path}`)).filename).toBe(filename);
  });

  it.each(['multipart/mixed; boundary=x', 'nonsense', ''])(
    'has a generic type if its server names none that can be attached: %j',
    async (type) => {
      answer = (_, response) => response.setHeader('content-type', type).end('x');
      expect((await fetched(base)).contentType).toBe('application/octet-stream');
    },
  );

  it('is requested without anything that identifies the requester', async () => {
    answer = (_, response) => response.end('x');
    await fetched(`${base}/x?y=1`);
    expect(asked).toMatchObject([{ url: '/x?y=1', headers: { 'accept-encoding': 'identity' } }]);
    expect(Object.keys(asked[0]?.headers ?? {}).sort()).toEqual([
      ...['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ]);
  });

  it('is fetched once if it is named twice', async () => {
    answer = (_, response) => response.end('x');
    expect(await attach([link(base), link(base)])).toHaveLength(2);
    expect(asked).toHaveLength(1);
  });

  it('is fetched after three redirects, but not after four', async () => {
    answer = ({ url }, response) => {
      const left = Number(url?.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `${left - 1}` }).end('elsewhere');
    };
    expect((await fetched(`${base}/3`)).content.toString()).toBe('there');
    expect(await whyNot(`${base}/4`)).toEqual([
      `0 could not be fetched from ${base.slice(7)}: more than 3 redirects`,
    ]);
  });
});

describe('a URL is refused', () => {
  it.each([
    ['nonsense', 'must be a URL such as https://example.org/invoice.pdf'],
    ['file:///etc/passwd', 'must begin with https:// or http://'],
    ['http://user:secret@files.test/', 'must not contain a user name or password'],
    [
      'http://10.1.2.3/',
      'could not be fetched from 10.1.2.3: resolves to 10.1.2.3, which is not a public address',
    ],
    [
      'http://inside.test/',
      'could not be fetched from inside.test: resolves to 10.1.2.3, which is not a public address',
    ],
    ['http://missing.test/', 'could not be fetched from missing.test: missing.test cannot be found in DNS'],
    ['http://127.0.0.1:9/', 'could not be fetched from 127.0.0.1:9: the connection was refused'],
  ])('%s', async (url, message) => {
    expect(await whyNot(url)).toEqual([`0 ${message}`]);
  });

  it.each([
    ['http://10.1.2.3/', '10.1.2.3: resolves to 10.1.2.3, which is not a public address'],
    ['http://inside.test:8080/', 'inside.test:8080: resolves to 10.1.2.3, which is not a public address'],
    ['http://[fd00::1]/', '[fd00::1]: resolves to fd00::1, which is not a public address'],
  ])('that redirects to %s', async (location, message) => {
    answer = (_, response) => response.writeHead(301, { location }).end();
    expect(await whyNot(base)).toEqual([`0 could not be fetched from ${message}`]);
  });

  it.each([
    ['file:///etc/passwd', 'it redirects to another URL, which must begin with https:// or http://'],
    ['http://a:b@files.test/', 'it redirects to another URL, which must not contain a user name or password'],
    ['http://[', 'it redirects to what is no URL'],
  ])('that redirects to %s', async (location, message) => {
    answer = (_, response) => response.writeHead(307, { location }).end();
    expect(await whyNot(base)).toEqual([`0 could not be fetched from ${base.slice(7)}: ${message}`]);
  });

  it.each([
    ['another status', (response) => response.writeHead(404).end('no'), 'it answered with status 404'],
    ['no content', (response) => response.writeHead(204).end(), 'it answered with status 204'],
    [
      'compressed content',
      (response) => response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(MEBIBYTE))),
      'it answered in a compressed form, which was not asked for',
    ],
  ] as [string, (response: Parameters<RequestListener>[1]) => void, string][])(
    'that answers with %s',
    async (_, respond, message) => {
      answer = (_request, response) => respond(response);
      expect(await whyNot(base)).toEqual([`0 could not be fetched from ${base.slice(7)}: ${message}`]);
    },
  );

  it.each([
    [
      'less than it announced',
      'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf',
      'closed before all of it had arrived',
    ],
    [
      'a chunk too few',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n',
      'closed before all of it',
    ],
    ['nothing', '', 'the connection was closed without an answer'],
    [
      'an upgrade',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'closed without an',
    ],
    ['another protocol', '220 mx.example ESMTP\r\n', 'Parse Error'],
  ])('that sends %s', async (_, text, message) => {
    expect((await whyNot(await saying(text)))[0]).toContain(message);
  });
});

describe('what is fetched is bounded', () => {
  const large = 15 * MEBIBYTE + 1;
  const TOO_LARGE = 'is too large: all attachments together must not have more than 15 MiB';

  it('in the announced size', async () => {
    answer = (_, response) => response.writeHead(200, { 'content-length': large }).write('x');
    expect(await whyNot(base)).toEqual([`0 ${TOO_LARGE}`]);
  });

  it('in the received bytes, and the transfer is aborted', async () => {
    let ended = new Promise<void>(() => {});
    answer = (_, response) => {
      ended = new Promise((resolve) => response.once('close', resolve));
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
      };
      response.on('drain', pour);
      pour();
    };
    expect(await whyNot(base)).toEqual([`0 ${TOO_LARGE}`]);
    await ended;
  });

  it('in all attachments together, those of the request included', async () => {
    answer = (_, response) => response.end(Buffer.alloc(8 * MEBIBYTE));
    const own = {
      filename: 'a',
      contentType: 'text/plain',
      contentId: null,
      content: Buffer.alloc(8 * MEBIBYTE),
    };
    expect(await attach([own, link(base)])).toMatchObject({
      kind: 'attachments_unavailable',
      problems: [{ at: { attachment: 1 }, message: TOO_LARGE }],
    });
    expect(await attach([link(`${base}/1`), link(`${base}/2`)])).toMatchObject({
      kind: 'attachments_unavailable',
      problems: [{ message: TOO_LARGE }],
    });
  });

  it.each([
    ['never begins', () => undefined],
    ['never ends', (response) => response.write('x')],
    [
      'trickles',
      (response) => {
        const drip = setInterval(() => response.write('x'), 5);
        response.once('close', () => clearInterval(drip));
      },
    ],
  ] as [string, (response: Parameters<RequestListener>[1]) => unknown][])(
    'in time, when the answer %s',
    async (_, respond) => {
      answer = (_request, response) => void respond(response);
      const hasty = new LinkedFiles({ fetchFile, deadlineMs: 200 });
      expect(await whyNot(base, hasty)).toEqual([
        `0 could not be fetched from ${base.slice(7)}: it took longer than 0.2 seconds`,
      ]);
    },
  );

  it('in concurrent fetches per organization, without delaying other organizations', async () => {
    const waiting: ServerResponse[] = [];
    const arrivals = new EventEmitter();
    answer = ({ url }, response) => {
      if (url !== '/slow') return response.end('quick');
      waiting.push(response);
      return arrivals.emit('slow');
    };
    const untilFourWait = async () => {
      while (waiting.length < 4) await once(arrivals, 'slow');
    };
    const files = new LinkedFiles(patience);
    const slow = Array.from({ length: 5 }, () => attach([link(`${base}/slow`)], files));
    await untilFourWait();
    await attach([link(`${base}/quick`)], files, 'org_2');
    expect(asked.map(({ url }) => url)).toEqual(['/slow', '/slow', '/slow', '/slow', '/quick']);
    waiting.shift()?.end('x');
    await untilFourWait();
    for (const one of waiting) one.end('x');
    for (const one of await Promise.all(slow)) expect(one).toHaveLength(1);
  });

  it('in time, also if many files of one request are slow', async () => {
    answer = () => undefined;
    const hasty = new LinkedFiles({ fetchFile, deadlineMs: 200 });
    const refused = await attach(
      Array.from({ length: 6 }, (_, n) => link(`${base}/${n}`)),
      hasty,
    );
    expect(refused).toHaveProperty('problems.length', 6);
  });

  it('in waiting time: a request that waits too long for others is told to retry later', async () => {
    let end = (_: { kind: 'failed'; why: string }) => {};
    const stuck = new Promise<{ kind: 'failed'; why: string }>((resolve) => {
      end = resolve;
    });
    const files = new LinkedFiles({ fetchFile: () => stuck, deadlineMs: 100 });
    const before = Array.from({ length: 4 }, () => attach([link(base)], files));
    expect(await attach([link(base)], files)).toEqual({ kind: 'overloaded' });
    end({ kind: 'failed', why: 'ended' });
    await Promise.all(before);
  });

  it('in memory, which is released after each draft', async () => {
    answer = (_, response) => response.end(Buffer.alloc(12 * MEBIBYTE));
    const leaving = new EventEmitter();
    const left = once(leaving, 'leave');
    const files = new LinkedFiles(patience);
    const hold = () => {
      let enter = (_: unknown) => {};
      const entered = new Promise<unknown>((resolve) => {
        enter = resolve;
      });
      const result = files.during('org_1', async (fetching) => {
        const attached = await fetching.attached([link(base)]);
        enter(attached.kind);
        if (attached.kind !== 'attached') return attached;
        await left;
        return 'accepted';
      });
      return { entered, result };
    };
    const first = [hold(), hold()];
    expect(await Promise.all(first.map(({ entered }) => entered))).toEqual(['attached', 'attached']);
    expect(await hold().result).toEqual({ kind: 'overloaded' });
    leaving.emit('leave');
    expect(await Promise.all(first.map(({ result }) => result))).toEqual(['accepted', 'accepted']);
    expect(await hold().result).toBe('accepted');
  });
});
