<?php
// Makes the unpacked package run where it lies, and fills it with manual pages of PHP's own classes and functions: load-dokuwiki.php ROOT
$root = $argv[1];
$wiki = "$root/usr/share/dokuwiki";
$data = "$root/var/lib/dokuwiki/data";
foreach (['pages', 'attic', 'media', 'media_attic', 'media_meta', 'meta', 'cache', 'index', 'locks', 'tmp', 'log'] as $folder) {
    @mkdir("$data/$folder", 0777, true);
}
// The package's links lead to where it would be installed.
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($wiki, FilesystemIterator::SKIP_DOTS), RecursiveIteratorIterator::SELF_FIRST) as $file) {
    if (!is_link($file)) continue;
    $target = readlink($file);
    if ($target[0] !== '/') $target = dirname($file) . "/$target";
    if (!str_starts_with($target, $root)) {
        unlink($file);
        symlink($root . $target, $file);
    }
}
foreach (glob("$wiki/vendor/composer/*.php") as $file) {
    file_put_contents($file, preg_replace('~(?<!\w)/usr/share/~', "$root/usr/share/", file_get_contents($file)));
}
file_put_contents("$wiki/inc/preload.php", "<?php\ndefine('DOKU_CONF', '$root/etc/dokuwiki/');\n");
file_put_contents("$root/etc/dokuwiki/local.php", "<?php\n\$conf['title'] = 'Manual';\n\$conf['savedir'] = '$data';\n\$conf['useacl'] = 0;\n\$conf['userewrite'] = 0;\n\$conf['updatecheck'] = 0;\n\$conf['indexdelay'] = 0;\n\$conf['disableactions'] = 'register,resendpwd,edit,login';\n");
@unlink("$wiki/install.php");

function page(string $data, string $id, array $versions, int $time): void
{
    $file = "$data/pages/" . str_replace(':', '/', $id) . '.txt';
    @mkdir(dirname($file), 0777, true);
    $changes = '';
    foreach ($versions as $at => $text) {
        $when = $time + 86400 * $at;
        $attic = "$data/attic/" . str_replace(':', '/', $id) . ".$when.txt.gz";
        @mkdir(dirname($attic), 0777, true);
        file_put_contents($attic, gzencode($text));
        $changes .= implode("\t", [$when, '127.0.0.1', $at === 0 ? 'C' : 'E', $id, 'author', "version $at", '', strlen($text)]) . "\n";
        file_put_contents($file, $text);
        touch($file, $when);
    }
    $meta = "$data/meta/" . str_replace(':', '/', $id) . '.changes';
    @mkdir(dirname($meta), 0777, true);
    file_put_contents($meta, $changes);
    file_put_contents("$data/meta/_dokuwiki.changes", $changes, FILE_APPEND);
}

$start = gmmktime(8, 0, 0, 1, 5, 2026);
$index = "====== Manual ======\n";
$done = 0;
foreach (get_loaded_extensions() as $extension) {
    $reflected = new ReflectionExtension($extension);
    $space = strtolower(preg_replace('/\W+/', '_', $extension));
    $list = "====== $extension ======\n";
    foreach (array_slice($reflected->getFunctions(), 0, 12) + $reflected->getClasses() as $name => $what) {
        $id = "$space:" . strtolower(preg_replace('/\W+/', '_', $name));
        $text = "====== $name ======\n\nIn [[$space:start|$extension]].\n\n<code>\n" . $what . "\n</code>\n";
        $versions = [$text];
        for ($more = 0; $more < $done % 3; $more++) $versions[] = end($versions) . "\nA remark of version $more about $name, which is in $extension.\n";
        page($data, $id, $versions, $start + 3600 * $done++);
        $list .= "  * [[$id|$name]]\n";
        if ($done >= 250) break;
    }
    page($data, "$space:start", [$list], $start);
    $index .= "  * [[$space:start|$extension]]\n";
}
page($data, 'start', [$index], $start);
echo "$done pages\n";
