package elasticsearch;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.KeyStoreWrapper;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.PluginsLoader;

/** One Elasticsearch node in this process; its modules are those of {@code path.home/modules}. */
public final class ElasticsearchNode {
    /** Elasticsearch takes this one from a key store only. */
    private static final String PASSWORD = "bootstrap.password";

    private ElasticsearchNode() {}

    /** How modules are loaded differs between the versions. */
    public interface Loader {
        PluginsLoader load(Environment environment);
    }

    /** @param arguments the settings, {@code name=value} each, and {@code path.conf}, the folder of the configuration */
    public static Node start(List<String> arguments, Loader loader) throws Exception {
        Map<String, String> settings = new HashMap<>();
        for (String argument : arguments) {
            String[] pair = argument.split("=", 2);
            settings.put(pair[0], pair[1]);
        }
        Path configuration = Path.of(settings.remove("path.conf"));
        Settings.Builder secure = Settings.builder();
        String password = settings.remove(PASSWORD);
        if (password != null) {
            KeyStoreWrapper keys = KeyStoreWrapper.create();
            keys.setString(PASSWORD, password.toCharArray());
            secure.setSecureSettings(keys);
        }
        String name = settings.get("node.name");
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(secure.build(), settings, configuration, () -> name);
        LogConfigurator.setNodeName(name);
        LogConfigurator.configure(environment, true);
        Node node = new Node(environment, loader.load(environment));
        node.start();
        return node;
    }
}
