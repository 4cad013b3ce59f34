/** Explains why a process cannot listen, with the setting to change. */

export interface ListensAt {
  readonly host: string;
  readonly port: number;
  /** The setting of the port, such as `POSTRIDER_PORT`. */
  readonly setting: string;
}

export function explainListen(error: NodeJS.ErrnoException, { host, port, setting }: ListensAt): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Error(`Port ${port} on ${host} is taken by another program. Set ${setting} to a free port.`);
    case 'EACCES':
      return new Error(`This user may not listen on port ${port}. Set ${setting} to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(
        `Cannot listen on ${host}. Set ${setting.replace(/(_TLS)?_PORT$/, '_HOST')} to an address of this machine.`,
      );
    default:
      return error;
  }
}
