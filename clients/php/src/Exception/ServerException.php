<?php

declare(strict_types=1);

namespace Postrider\Exception;

/** 5xx: the server failed. */
class ServerException extends PostriderException
{
}
