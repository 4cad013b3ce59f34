<?php

declare(strict_types=1);

namespace Postrider\Http;

/** An operation and its input as a request. The transport has the part of the URL before the target. */
final class Request
{
    /** @param array<string, string> $headers */
    private function __construct(
        public readonly string $operation,
        public readonly string $method,
        public readonly string $target,
        public readonly array $headers,
        public readonly ?string $body,
    ) {
    }

    /**
     * @param array<string, int|string> $params
     * @param array<string, mixed> $query
     * @param array<string, string> $headers
     */
    public static function of(
        string $operation,
        array $params = [],
        array $query = [],
        mixed $body = null,
        ?string $idempotencyKey = null,
        array $headers = [],
    ): self {
        [$method, $path] = explode(' ', $operation, 2);
        if (Retry::takesIdempotencyKey($operation)) {
            $headers['idempotency-key'] = $idempotencyKey ?? 'php_' . bin2hex(random_bytes(16));
        }
        if ($body !== null) {
            $headers['content-type'] = is_string($body) ? 'text/csv; charset=utf-8' : 'application/json';
        }
        $target = self::filled($path, $params) . self::queryText($query);
        $text = $body === null || is_string($body) ? $body : Json::encode($body);
        return new self($operation, $method, $target, $headers, $text);
    }

    /**
     * An id with a slash or a dot in it must not lead to another route.
     *
     * @param array<string, int|string> $params
     */
    private static function filled(string $path, array $params): string
    {
        return (string) preg_replace_callback('/\{(\w+)\}/', static function (array $match) use ($path, $params): string {
            $value = (string) ($params[$match[1]] ?? '');
            if ($value === '' || $value === '.' || $value === '..') {
                throw new \InvalidArgumentException("$path needs `$match[1]`, and got \"$value\".");
            }
            return rawurlencode($value);
        }, $path);
    }

    /** @param array<string, mixed> $query */
    private static function queryText(array $query): string
    {
        $given = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $one) {
                if ($one !== null) {
                    $given[] = rawurlencode($name) . '=' . rawurlencode(self::word($one));
                }
            }
        }
        return $given === [] ? '' : '?' . implode('&', $given);
    }

    private static function word(mixed $value): string
    {
        return match (true) {
            is_bool($value) => $value ? 'true' : 'false',
            $value instanceof \DateTimeInterface => Json::moment($value),
            is_scalar($value) => (string) $value,
            default => throw new \InvalidArgumentException(get_debug_type($value) . ' cannot be part of an address.'),
        };
    }
}
