/**
 * Servers that do not do as they should. Each does its own at one point of the conversation, and is like any other
 * otherwise; at all of them mail arrives once the storm is over.
 */
import type { Socket } from 'node:net';

export interface Misbehavior {
  /** Instead of its banner. */
  greet?(socket: Socket): void;
  /** Instead of an answer to RCPT. */
  recipient?(socket: Socket): void;
  /** Instead of the reply to a message that it took; tells how much of one went out. */
  reply?(socket: Socket, usual: string): 'whole' | 'half' | 'none';
}

/** As much as a flood is. */
const FLOOD_BYTES = 100 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const DROP_MS = 500;

export const flooded = { bytes: 0 };

export const MISBEHAVIORS = {
  /** A letter of its banner every half second, and no end of it. */
  tarpit: { greet: drip },
  /** Takes the message, and says nothing more. */
  mute: { reply: () => 'none' },
  /** Hangs up its own end after the dot, and goes on listening. */
  'half-close': {
    reply: (socket) => {
      socket.end();
      return 'none';
    },
  },
  /** The same in the middle of the envelope. */
  'half-close-early': { recipient: (socket) => void socket.end() },
  reset: {
    reply: (socket) => {
      socket.resetAndDestroy();
      return 'none';
    },
  },
  busy: { recipient: (socket) => void socket.write('450 4.2.1 come back later\r\n') },
  'flood-banner': { greet: (socket) => flood(socket, `220-${'x'.repeat(500)}\r\n`) },
  'endless-banner': { greet: (socket) => flood(socket, 'x', '220 ') },
  'flood-envelope': { recipient: (socket) => flood(socket, `250-${'x'.repeat(500)}\r\n`) },
  'flood-reply': {
    reply: (socket) => {
      flood(socket, `250-${'x'.repeat(500)}\r\n`);
      return 'half';
    },
  },
  'endless-reply': {
    reply: (socket) => {
      flood(socket, 'x', '250 ');
      return 'half';
    },
  },
  /** Whole replies, of which the first is the one that was asked for. */
  'flood-replies': {
    reply: (socket, usual) => {
      flood(socket, usual);
      return 'whole';
    },
  },
} satisfies Record<string, Misbehavior>;

export type MisbehaviorName = keyof typeof MISBEHAVIORS;

function drip(socket: Socket): void {
  socket.write('220-');
  const timer = setInterval(() => socket.write('w'), DROP_MS);
  socket.once('close', () => clearInterval(timer));
}

/** As fast as it is taken. */
function flood(socket: Socket, piece: string, beginning = ''): void {
  const chunk = Buffer.from(piece.repeat(Math.ceil(CHUNK_BYTES / piece.length)));
  let left = FLOOD_BYTES;
  const pour = (): void => {
    while (left > 0 && !socket.destroyed && socket.writable) {
      left -= chunk.length;
      flooded.bytes += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', pour);
  if (beginning !== '') socket.write(beginning);
  pour();
}
