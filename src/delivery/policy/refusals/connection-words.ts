/** Whether a reply is about the number or the rate of our connections. Pure. */
import { list, phrase, readWords, says } from './words.ts';

const CONNECTIONS = list(`
  too many connection, too many concurrent, too many open, too many session, too many simultaneous, too many smtp,
  too many parallel, concurrent connection, simultaneous connection, parallel connection, concurrent session,
  connection limit, connection rate, connection frequency, limit ~ connection, max ~ connection, maximum ~ connection,
  number ~ connection, already ~ connection, concurrency limit, trop ~ connexion, zu viele ~ verbindung,
  demasiadas ~ conexiones, muitas ~ conexoes, troppe ~ connessioni, 连接数
`).map(phrase);

/** Of each connection's messages, not of connections. */
const OTHERWISE = list('per connection, reputation, unauthenticated').map(phrase);

export function isAboutConnections(text: string): boolean {
  const words = readWords(text);
  return CONNECTIONS.some((one) => says(words, one)) && !OTHERWISE.some((one) => says(words, one));
}
