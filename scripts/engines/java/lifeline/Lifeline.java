package lifeline;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * Ties a node to the process that started it: that one holds the other end of the standard input, which therefore ends
 * when the process does, however that happens. The node then closes, and takes its folder with it.
 */
public final class Lifeline {
    /** A node that cannot close within this time is halted. */
    private static final long CLOSING_MILLISECONDS = 10_000;

    private Lifeline() {}

    /** What a node is started as: the arguments {@code name=value} are its settings. */
    public interface Starter {
        AutoCloseable start(List<String> arguments) throws Exception;
    }

    /** Starts a node and never returns. */
    public static void hold(String[] arguments, Starter starter) throws Exception {
        Path folder = Path.of(System.getProperty("node.folder"));
        AutoCloseable node;
        try {
            node = starter.start(List.of(arguments));
        } catch (Throwable failure) {
            failure.printStackTrace();
            Runtime.getRuntime().halt(1);
            return;
        }
        while (System.in.read() >= 0) {
            // Nothing is ever said: only the end counts.
        }
        try {
            Thread closing = new Thread(() -> close(node));
            closing.start();
            closing.join(CLOSING_MILLISECONDS);
            remove(folder);
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static void close(AutoCloseable node) {
        try {
            node.close();
        } catch (Exception failure) {
            failure.printStackTrace();
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (var paths = Files.walk(folder)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) Files.deleteIfExists(path);
        // The folder of the whole cluster goes with its last node.
        String[] others = folder.getParent().toFile().list();
        if (others != null && others.length == 0) Files.deleteIfExists(folder.getParent());
    }
}
