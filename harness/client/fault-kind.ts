import type { FaultKind } from './exchange.ts';

const kindByCode: Readonly<Record<string, FaultKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  UND_ERR_CONNECT_TIMEOUT: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_DESTROYED: 'reset',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'oversize',
  UND_ERR_HEADERS_OVERFLOW: 'oversize',
};

/** Names what went wrong on the way from the error that the HTTP client threw. */
export function faultKindOf(error: Error): FaultKind {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const code = codeOf(error);
  if (code.startsWith('HPE_')) return code === 'HPE_INVALID_EOF_STATE' ? 'truncated' : 'protocol';
  const known = kindByCode[code];
  if (known !== undefined) return known;
  if (isTlsCode(code)) return 'refused';
  return error.cause instanceof Error ? faultKindOf(error.cause) : 'protocol';
}

/** True for an error of the TLS handshake or of a certificate. */
function isTlsCode(code: string): boolean {
  return /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|HOSTNAME_MISMATCH|EPROTO)/.test(code);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}
