<?php

declare(strict_types=1);

namespace Postrider\Http;

use Postrider\Exception\ConnectionFailedException;
use Postrider\Exception\PostriderException;
use Postrider\Exception\TimedOutException;

/** Sends requests with cURL, and keeps the connection open. */
final class CurlHttpClient implements HttpClient
{
    private ?\CurlHandle $handle = null;
    private int $process = 0;

    /** @param array<int, mixed> $options cURL's own, by their constants: a private certificate authority, a proxy */
    public function __construct(private readonly array $options = [])
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeout): Response
    {
        $handle = $this->handle();
        $seen = [];
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => self::milliseconds($timeout),
        ] + ($body === null ? [] : [CURLOPT_POSTFIELDS => $body]) + $this->common($url, $headers, $seen));
        $text = curl_exec($handle);
        if ($text === false) {
            $failure = self::failure(curl_errno($handle), curl_error($handle), $timeout);
            // What is still to come would be taken for the next answer.
            $this->handle = null;
            throw $failure;
        }
        return new Response(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $seen, (string) $text);
    }

    public function lines(string $url, array $headers, float $silence): \Generator
    {
        $handle = curl_init();
        $seen = [];
        $buffer = '';
        curl_setopt_array($handle, [
            CURLOPT_WRITEFUNCTION => static function (\CurlHandle $_, string $piece) use (&$buffer): int {
                $buffer .= $piece;
                return strlen($piece);
            },
            CURLOPT_CONNECTTIMEOUT_MS => self::milliseconds($silence),
        ] + $this->common($url, $headers, $seen));
        $multi = curl_multi_init();
        curl_multi_add_handle($multi, $handle);
        try {
            yield from $this->linesOf($multi, $handle, $buffer, $seen, $silence);
        } finally {
            curl_multi_remove_handle($multi, $handle);
            curl_multi_close($multi);
        }
    }

    /**
     * @param array<string, string> $seen
     * @return \Generator<int, string>
     */
    private function linesOf(\CurlMultiHandle $multi, \CurlHandle $handle, string &$buffer, array &$seen, float $silence): \Generator
    {
        $heard = microtime(true);
        do {
            $before = strlen($buffer);
            curl_multi_exec($multi, $running);
            if (strlen($buffer) > $before) {
                $heard = microtime(true);
            } elseif (microtime(true) - $heard > $silence) {
                throw self::failure(CURLE_OPERATION_TIMEDOUT, '', $silence);
            }
            if (curl_getinfo($handle, CURLINFO_RESPONSE_CODE) === 200) {
                while (($end = strpos($buffer, "\n")) !== false) {
                    $line = substr($buffer, 0, $end);
                    $buffer = substr($buffer, $end + 1);
                    yield rtrim($line, "\r");
                }
            }
            if ($running > 0) {
                curl_multi_select($multi, 1.0);
            }
        } while ($running > 0);
        $this->checkEnd($multi, $handle, $buffer, $seen, $silence);
    }

    /** @param array<string, string> $seen */
    private function checkEnd(\CurlMultiHandle $multi, \CurlHandle $handle, string $buffer, array $seen, float $silence): void
    {
        $result = curl_multi_info_read($multi)['result'] ?? CURLE_OK;
        if ($result !== CURLE_OK) {
            throw self::failure($result, (string) curl_strerror($result), $silence);
        }
        $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        if ($status !== 200) {
            throw (new Response($status, $seen, $buffer))->failure();
        }
    }

    private function handle(): \CurlHandle
    {
        // After a fork two processes would talk over one connection.
        if ($this->handle === null || $this->process !== getmypid()) {
            $this->process = (int) getmypid();
            $this->handle = curl_init();
        }
        curl_reset($this->handle);
        return $this->handle;
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, string> $seen filled with the headers of the answer
     * @return array<int, mixed>
     */
    private function common(string $url, array $headers, array &$seen): array
    {
        $lines = [];
        foreach ([...$headers, 'expect' => ''] as $name => $value) {
            $lines[] = "$name: $value";
        }
        return $this->options + [
            CURLOPT_URL => $url,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_HEADERFUNCTION => self::headerReader($seen),
            CURLOPT_HTTP_VERSION => CURL_HTTP_VERSION_1_1,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_PROXY => '',
        ];
    }

    /** @param array<string, string> $seen */
    private static function headerReader(array &$seen): \Closure
    {
        return static function (\CurlHandle $_, string $line) use (&$seen): int {
            if (str_starts_with($line, 'HTTP/')) {
                $seen = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $seen[strtolower(trim($name))] = trim($value);
            }
            return strlen($line);
        };
    }

    private static function failure(int $number, string $why, float $timeout): PostriderException
    {
        return $number === CURLE_OPERATION_TIMEDOUT
            ? new TimedOutException("No answer within $timeout s.", 'TIMED_OUT')
            : new ConnectionFailedException("No answer: $why", 'CONNECTION_FAILED');
    }

    private static function milliseconds(float $seconds): int
    {
        return max(1, (int) ceil($seconds * 1000));
    }
}
