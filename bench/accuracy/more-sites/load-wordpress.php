<?php
// Installs WordPress from its unpacked package into the database at a socket and fills it with what PHP says of its own functions and classes, as
// posts with categories, tags and comments: load-wordpress.php ROOT SOCKET ORIGIN
[, $root, $socket, $origin] = $argv;
$blog = "$root/usr/share/wordpress";
file_put_contents("$blog/wp-config.php", "<?php\ndefine('DB_NAME', 'wordpress');\ndefine('DB_USER', 'root');\ndefine('DB_PASSWORD', '');\ndefine('DB_HOST', 'localhost:$socket');\ndefine('DB_CHARSET', 'utf8mb4');\ndefine('DISABLE_WP_CRON', true);\ndefine('WP_HTTP_BLOCK_EXTERNAL', true);\n\$table_prefix = 'wp_';\nif (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');\nrequire_once ABSPATH . 'wp-settings.php';\n");
$_SERVER += ['HTTP_HOST' => parse_url($origin, PHP_URL_HOST) . ':' . parse_url($origin, PHP_URL_PORT), 'REQUEST_URI' => '/', 'SERVER_PROTOCOL' => 'HTTP/1.1', 'REMOTE_ADDR' => '127.0.0.1'];
define('WP_INSTALLING', true);
define('WP_SITEURL', $origin);
require "$blog/wp-load.php";
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Manual', 'author', 'author@example.invalid', true, '', 'unused password');
update_option('siteurl', $origin);
update_option('home', $origin);
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('comment_moderation', 0);
update_option('thread_comments', 1);
update_option('comments_notify', 0);
update_option('moderation_notify', 0);

$time = gmmktime(8, 0, 0, 3, 2, 2026);
$done = 0;
foreach (get_loaded_extensions() as $extension) {
    $category = wp_insert_term($extension, 'category');
    if (is_wp_error($category)) continue;
    $extended = new ReflectionExtension($extension);
    foreach (array_slice($extended->getFunctions(), 0, 7) + array_slice($extended->getClasses(), 0, 5) as $name => $what) {
        if ($done >= 160) break 2;
        $when = gmdate('Y-m-d H:i:s', $time + 86400 * $done);
        $post = wp_insert_post([
            'post_title' => $name,
            'post_content' => "<p>$name is in $extension.</p>\n<pre>" . htmlspecialchars(substr((string) $what, 0, 4000)) . "</pre>",
            'post_status' => 'publish', 'post_author' => 1, 'post_date' => $when, 'post_date_gmt' => $when,
            'post_category' => [$category['term_id']],
            'tags_input' => array_slice(explode('_', strtolower(preg_replace('/\W+/', '_', $name))), 0, 2),
        ]);
        $above = 0;
        for ($i = 0; $i < $done % 4; $i++) {
            $said = gmdate('Y-m-d H:i:s', $time + 86400 * $done + 3600 * ($i + 1));
            $above = wp_insert_comment([
                'comment_post_ID' => $post, 'comment_author' => "reader$i", 'comment_author_email' => "reader$i@example.invalid",
                'comment_content' => "Remark $i on $name: what does it do with argument number $i?", 'comment_parent' => $i % 2 ? $above : 0,
                'comment_approved' => 1, 'comment_date' => $said, 'comment_date_gmt' => $said,
            ]);
        }
        $done++;
    }
}
foreach (['About', 'Imprint', 'Contact', 'Contents'] as $title) {
    wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_author' => 1, 'post_title' => $title, 'post_content' => "<p>$title of this manual, which says what PHP knows of itself.</p>"]);
}
flush_rewrite_rules();
echo "$done posts\n";
