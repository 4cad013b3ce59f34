/**
 * MCP over HTTP (streamable HTTP, without sessions) at `/mcp`: an API key as the bearer token, one JSON
 * response per message. A tool calls our own API inside this process with the caller's key, so it has no
 * access that the API does not grant.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerToken } from '../../http/authenticate.ts';
import type { Dialect } from '../../http/dialect.ts';
import { JSON_TYPE, type WriteError } from '../../http/error-handler.ts';
import { ApiError } from '../../http/errors.ts';
import { type MailApi, parsed, withQuery } from './mail-api.ts';
import type { ToolCaller } from './tool.ts';

interface McpDeps {
  readonly version: string;
  readonly isSandbox: boolean;
  /** Whether the host name belongs to this installation: pages of other sites must be refused. */
  readonly isOwnHost: (name: string) => boolean;
}

export function createMcpDialect(deps: McpDeps): Dialect {
  return {
    prefix: '/mcp',
    atPrefix: true,
    tokenOf: bearerToken,
    writeError: writeMcpError,
    routes: (app) => routeMcp(app, deps),
  };
}

/** Every key may connect; its scope decides what it may do. Connecting changes nothing. */
const EVERY_KEY = { scope: 'send', reads: true, tied: true } as const;

function routeMcp(app: FastifyInstance, deps: McpDeps): void {
  routeOtherMethods(app);
  app.post('/', { config: EVERY_KEY }, async (request, reply) => {
    refuseOtherPages(request, deps);
    const { scope, policy = null } = request.principal;
    const caller: ToolCaller = { scope, policy, isSandbox: deps.isSandbox };
    const { answerMessage, createMcpServer } = await import('./mcp-server.ts');
    const server = () => createMcpServer(deps.version, caller, apiWithin(app, request));
    return answerWith(reply, await answerMessage(asWebRequest(request), request.body, server));
  });
}

/** Sessions and streams do not exist, so these methods are refused. */
function routeOtherMethods(app: FastifyInstance): void {
  app.route({
    method: ['GET', 'DELETE'],
    url: '/',
    config: { public: true },
    handler: (_request, reply) => {
      reply.header('allow', 'POST');
      throw new ApiError('METHOD_NOT_ALLOWED');
    },
  });
}

/** Browsers send an Origin header; programs do not. */
function refuseOtherPages({ headers: { origin } }: FastifyRequest, { isOwnHost }: McpDeps): void {
  if (origin === undefined) return;
  const host = URL.canParse(origin) ? new URL(origin).hostname : null;
  if (host === null || !isOwnHost(host))
    throw new ApiError('FORBIDDEN', [], 'Pages of other sites cannot use MCP here.');
}

/** The body has already been read within the usual limits. */
function asWebRequest({ headers, id }: FastifyRequest): Request {
  const kept = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of Object.entries(headers))
    if (typeof value === 'string' && (name === 'accept' || name.startsWith('mcp-'))) kept.set(name, value);
  return new Request(`http://mcp.invalid/mcp?request=${encodeURIComponent(id)}`, {
    method: 'POST',
    headers: kept,
    body: '{}',
  });
}

async function answerWith(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  const text = await answer.text();
  reply.code(answer.status);
  for (const [name, value] of answer.headers) if (name === 'content-type') reply.header(name, value);
  return reply.send(text);
}

/** Calls our own API with the caller's credentials. */
function apiWithin(app: FastifyInstance, { headers, ip }: FastifyRequest): MailApi {
  return async (method, path, { query, body, headers: more = {} } = {}) => {
    const answer = await app.inject({
      method,
      url: withQuery(`/api/v1${path}`, query),
      headers: {
        ...more,
        ...{ authorization: headers.authorization ?? '', host: headers.host ?? '' },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      remoteAddress: ip,
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: parsed(answer.payload) };
  };
}

/** JSON-RPC error without an id, for failures before the message was parsed. */
const writeMcpError: WriteError = (error) => ({
  status: error.statusCode,
  type: JSON_TYPE,
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32_000, message: error.message, data: { code: error.code } },
  }),
});
